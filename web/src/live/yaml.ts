/** Positions as task files have them. */

/** Words that YAML takes for something else, or not for one word, are put in quotes. */
function key(name: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name);
  return plain ? name : JSON.stringify(name);
}

/** With all digits, so that it leads to the same posture. */
export function yamlOf(positions: Record<string, number[]>): string {
  const lines = Object.entries(positions)
                    .map(([joint, q]) => `  ${key(joint)}: ${q.length === 1 ? q[0] : `[${q.join(', ')}]`}\n`);
  return `position:\n${lines.join('')}`;
}
