/**
 * The import rules of docs/ARCHITECTURE.md, checked by `npm run check imports`. Each comment is shown with a violation: it says why the import
 * is refused and where the code belongs. Tests may reach across (they go through the HTTP door, with simulators and helpers), so the
 * layering rules exempt them; cycles are refused everywhere.
 */
const test = '[.]test[.]tsx?$'
/** In a feature's folder: those of a domain, and the domains that are one feature themselves. */
const inFeature = (rest) => [`^src/[^/]+/${rest}`, `^src/[^/]+/[^/]+/${rest}`]
const pure = inFeature('((|[a-z]+-)(contract|rules|policy|filter|fields|information)|texts)[.]ts$')
const web = ['^src/(ui|record)/', ...inFeature('web/')]
const domains = '(platform|crm|messages|care|billing|insight|admin)'
const single = '(documents|portal|record)'
const doors = [...pure, ...inFeature('(table|service)[.]ts$'), ...inFeature('web/embed/'), '^src/platform/[^/]+[.]ts$']
const pureLibraries = 'node_modules/(zod|@orpc/contract|date-fns|@date-fns/tz|big[.]js|libphonenumber-js|i18next|@types/big[.]js)/'

/** Each folder of src imports those before it, never those after it. */
const order = require('./scripts/domains.json')

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
        "Whatever the browser imports is shipped to it: a table or a service would leak server code and break the build. What both sides need belongs into the feature's contract.ts, rules.ts, policy.ts, filter.ts or fields.ts, or into src/shared when it knows no domain; data comes through the typed client.",
      from: { path: web, pathNot: test },
      to: { path: '^src/', pathNot: ['^src/shared/', ...web, ...pure] },
    },
    {
      name: '3-pure-files-stay-pure',
      severity: 'error',
      comment:
        'contract.ts, rules.ts, policy.ts, filter.ts and fields.ts run in the browser, the server and the tests alike, so they import each other, src/shared and zod, @orpc/contract, date-fns, @date-fns/tz, big.js, libphonenumber-js only. I/O belongs into service.ts, the clock and other services come as arguments.',
      from: { path: pure, pathNot: test },
      to: { couldNotResolve: false, pathNot: [...pure, '^src/shared/', pureLibraries] },
    },
    {
      name: '3-shared-stays-pure',
      severity: 'error',
      comment:
        'src/shared holds what could ship in a different product: pure and free of the domain. What knows a feature belongs into that feature, what does I/O into src/server, a component into src/ui.',
      from: { path: '^src/shared/', pathNot: test },
      to: { couldNotResolve: false, pathNot: ['^src/shared/', pureLibraries] },
    },
    {
      name: '4-server-never-imports-web',
      severity: 'error',
      comment:
        'The server runs its files as they are (no JSX, no bundler). What both sides need belongs into a pure file of the feature or into src/shared.',
      from: { path: '^src/', pathNot: [...web, test] },
      to: { path: web },
    },
    {
      name: '5-enter-a-feature-by-its-door',
      severity: 'error',
      comment:
        'Another feature is entered by contract.ts, rules.ts, policy.ts, filter.ts, fields.ts, table.ts, service.ts or web/embed/ only, so that the rest of it can change freely. Export what is needed from its service.ts, or move the component to its web/embed/.',
      from: { path: `^src/${domains}/([^/]+)/`, pathNot: test },
      to: { path: `^src/${domains}/`, pathNot: ['^src/$1/$2/', ...doors] },
    },
    {
      name: '5-a-single-feature-enters-others-by-their-door',
      severity: 'error',
      comment: 'As above, for the domains that are one feature.',
      from: { path: `^src/${single}/`, pathNot: test },
      to: { path: `^src/${domains}/`, pathNot: doors },
    },
    {
      name: '5-enter-a-single-feature-by-its-door',
      severity: 'error',
      comment: 'As above, for the domains that are one feature.',
      from: { path: `^src/(${domains}|${single})/`, pathNot: test },
      to: { path: `^src/${single}/`, pathNot: ['^src/$1/', ...doors] },
    },
    {
      name: '5-photos-do-not-know-their-uses',
      severity: 'error',
      comment:
        'What photos are used for is built on photos. What it adds to their screens is given from above (photo-uses/web/embed/PhotosTab.tsx); what leaves the chart, such as an original, belongs into chart/photo-uses.',
      from: { path: '^src/chart/photos/', pathNot: test },
      to: { path: '^src/chart/photo-uses/' },
    },
    {
      name: '6-integrations-know-no-feature',
      severity: 'error',
      comment:
        "A vendor's client speaks the vendor's language alone, so that it can be tested against a simulator and replaced. What a reply means to the clinic belongs into the feature's service.ts; what two vendors share into src/shared, and what each call says of itself is src/integrations/calls.ts.",
      from: { path: '^src/integrations/([^/]+)/', pathNot: test },
      to: { path: '^src/', pathNot: ['^src/shared/', '^src/integrations/$1/', '^src/integrations/calls[.]ts$'] },
    },
    ...order.slice(0, -1).map((folder, index) => ({
      name: '9-domains-in-order',
      severity: 'error',
      comment:
        'A domain imports the domains above it in docs/ARCHITECTURE.md only. What must point the other way goes through an event, a job, a registry that src/app fills, or an interface that the lower domain declares.',
      from: { path: `^src/${folder}/`, pathNot: test },
      to: { path: `^src/(${order.slice(index + 1).join('|')})/` },
    })),
    {
      name: '7-src-never-imports-simulators',
      severity: 'error',
      comment:
        'The product must not know that it talks to a double: only a base URL differs. Simulators, test helpers, benchmarks and scripts are started by the demo and the tests, never by src.',
      from: { path: '^src/', pathNot: test },
      to: { path: '^(simulators|test|bench|experiments|scripts|demo)/' },
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
      name: '10-the-server-runs-without-development-packages',
      severity: 'error',
      comment:
        'A production install (npm ci --omit=dev) leaves devDependencies out, and the server would not start there. What the server imports belongs into dependencies; what only the screens import is built in beforehand and stays a development package.',
      from: { path: '^src/', pathNot: [...web, test] },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: '8-every-import-resolves',
      severity: 'error',
      comment:
        'An import that does not resolve is invisible to every rule above. Mind the extension (.ts, .tsx) and list the package in package.json.',
      from: {},
      // What a plugin of Vite makes while building is on no disk, and the address of a file is not its path.
      to: { couldNotResolve: true, pathNot: '^virtual:|[?]url$' },
    },
  ],
  options: {
    // Without swc the tool reads no TypeScript and passes; scripts/checks/imports.ts compares what was read with what is on disk.
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
