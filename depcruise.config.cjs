/**
 * The import rules of docs/ARCHITECTURE.md, checked by `npm run check imports`. Each comment is shown with a violation: it says why the import
 * is refused and where the code belongs. Tests may reach across (they go through the HTTP door, with simulators and helpers), so the
 * layering rules exempt them; cycles are refused everywhere.
 */
const test = '[.]test[.]tsx?$'
const pure = '^src/features/[^/]+/(|[a-z]+-)(contract|rules|policy|filter)[.]ts$'
const web = '^src/(web|features/[^/]+/web)/'
const pureLibraries = 'node_modules/(zod|@orpc/contract|date-fns|@date-fns/tz|big[.]js|libphonenumber-js|@types/big[.]js)/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: '1-no-cycle',
      severity: 'error',
      comment:
        'Files in a circle cannot be read, tested or loaded one at a time. Part the idea that both need into a third file which imports neither.',
      from: {},
      to: { circular: true },
    },
    {
      name: '2-web-sees-pure-files-only',
      severity: 'error',
      comment:
        "Whatever the browser imports is shipped to it: a table or a service would leak server code and break the build. What both sides need belongs into the feature's contract.ts, rules.ts, policy.ts or filter.ts, or into src/shared when it knows no domain; data comes through the typed client.",
      from: { path: web, pathNot: test },
      to: { path: '^src/', pathNot: ['^src/(web|shared)/', '^src/features/[^/]+/web/', pure] },
    },
    {
      name: '3-pure-files-stay-pure',
      severity: 'error',
      comment:
        'contract.ts, rules.ts, policy.ts and filter.ts run in the browser, the server and the tests alike, so they import each other, src/shared and zod, @orpc/contract, date-fns, @date-fns/tz, big.js, libphonenumber-js only. I/O belongs into service.ts, the clock and other services come as arguments.',
      from: { path: pure, pathNot: test },
      to: { couldNotResolve: false, pathNot: [pure, '^src/shared/', pureLibraries] },
    },
    {
      name: '3-shared-stays-pure',
      severity: 'error',
      comment:
        'src/shared holds what could ship in a different product: pure and free of the domain. What knows a feature belongs into that feature, what does I/O into src/server, a component into src/web/ui.',
      from: { path: '^src/shared/', pathNot: test },
      to: { couldNotResolve: false, pathNot: ['^src/shared/', pureLibraries] },
    },
    {
      name: '4-server-never-imports-web',
      severity: 'error',
      comment:
        'The server runs its files as they are (no JSX, no bundler). What both sides need belongs into a pure file of the feature or into src/shared.',
      from: { path: '^src/', pathNot: [web, test] },
      to: { path: web },
    },
    {
      name: '5-enter-a-feature-by-its-door',
      severity: 'error',
      comment:
        'Another feature is entered by contract.ts, rules.ts, policy.ts, filter.ts, table.ts, service.ts or web/embed/ only, so that the rest of it can change freely. Export what is needed from its service.ts, or move the component to its web/embed/.',
      from: { path: '^src/features/([^/]+)/', pathNot: test },
      to: {
        path: '^src/features/',
        pathNot: ['^src/features/$1/', pure, '^src/features/[^/]+/(table|service)[.]ts$', '^src/features/[^/]+/web/embed/'],
      },
    },
    {
      name: '6-integrations-know-no-feature',
      severity: 'error',
      comment:
        "A vendor's client speaks the vendor's language alone, so that it can be tested against a simulator and replaced. What a reply means to the clinic belongs into the feature's service.ts; what two vendors share into src/shared.",
      from: { path: '^src/integrations/([^/]+)/', pathNot: test },
      to: { path: ['^src/features/', '^src/integrations/', '^src/server/', '^src/web/'], pathNot: '^src/integrations/$1/' },
    },
    {
      name: '7-src-never-imports-simulators',
      severity: 'error',
      comment:
        'The product must not know that it talks to a double: only a base URL differs. Simulators, test helpers, benchmarks and scripts are started by the demo and the tests, never by src.',
      from: { path: '^src/', pathNot: test },
      to: { path: '^(simulators|test|bench|scripts|demo)/' },
    },
    {
      name: '7-simulators-stand-alone',
      severity: 'error',
      comment:
        "A simulator that shared code with the product would share its mistakes. It speaks the vendor's documented wire format from its own files; repeat the few lines that both need.",
      from: { path: '^simulators/([^/]+)/', pathNot: test },
      to: { path: '^(src|simulators|test|scripts)/', pathNot: ['^simulators/$1/', '^simulators/[^/]+[.]ts$'] },
    },
    {
      name: '8-every-import-resolves',
      severity: 'error',
      comment:
        'An import that does not resolve is invisible to every rule above. Mind the extension (.ts, .tsx) and list the package in package.json.',
      from: {},
      // What a plugin of Vite makes while building is on no disk.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    // Without swc the tool reads no TypeScript and passes; scripts/check-imports.ts compares what was read with what is on disk.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.]css$' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
}
