// Builds the page into one HTML file with no reference to anything outside it.
import {defineConfig} from 'vite';

/** Puts the script and the style sheet into the page: a report must open from a disk, without a server. */
function singleFile() {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      for (const [name, part] of Object.entries(bundle)) {
        if (name === 'index.html') continue;
        // Functions as replacements: the code is full of `$&` and the like. `<\/` is the same to JavaScript only.
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script');
          page.source = page.source.replace(/<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, '');
          page.source = page.source.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else {
          page.source = page.source.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${part.source}</style>`);
        }
        delete bundle[name];
      }
      if (/<(script|link)[^>]+(src|href)="(?!data:)/.test(
              page.source.replace(/<script type="module">[^]*<\/script>/, ''))) {
        this.error('the page refers to other files');
      }
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2021',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    chunkSizeWarningLimit: 2000,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {output: {inlineDynamicImports: true}},
  },
  plugins: [singleFile()],
});
