/** Loaded before TypeScript is: on an older Node `npm start` says what to do in a sentence. Plain JavaScript, for that Node reads nothing else. */
const oldest = 24

if (Number.parseInt(process.versions.node, 10) < oldest) {
  console.error(
    `Refyne needs Node.js ${oldest} or later, and this is ${process.versions.node}. Install a later one, or on Linux (x64) run "npm ci" ` +
      'without --omit=dev, which brings the right one along.',
  )
  process.exit(1)
}
