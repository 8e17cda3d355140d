// Reads {"tex", "display"} a line and answers {"html"} or {"error"} a line.
import { createInterface } from "node:readline";
import katex from "katex";

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "ignore" }) };
  } catch (error) {
    answer = { error: `${error.message} in ${tex}` };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
