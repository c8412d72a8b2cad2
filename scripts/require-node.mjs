/** Loaded first, so that `npm start` explains what to do on an older Node. Plain JavaScript, because that Node cannot run TypeScript. */
const minVersion = 24

if (Number.parseInt(process.versions.node, 10) < minVersion) {
  console.error(
    `Refyne needs Node.js ${minVersion} or later; this is ${process.versions.node}. Install a later version, or on Linux (x64) run "npm ci" ` +
      'without --omit=dev, which installs the right one.',
  )
  process.exit(1)
}
