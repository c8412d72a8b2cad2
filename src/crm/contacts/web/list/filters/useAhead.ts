import { useState } from 'react'

/**
 * What the address is about to say, at once: it takes a moment to follow, and anyone who chooses twice within that moment means both. Once it says
 * the last that was set, or something that was never set (the back button), it is the address that counts.
 */
export function useAhead(inAddress: string): [latest: string, setLatest: (text: string) => void] {
  const [known, setKnown] = useState(inAddress)
  const [awaited, setAwaited] = useState<readonly string[]>([])
  if (inAddress !== known) {
    const arrived = awaited.indexOf(inAddress)
    setKnown(inAddress)
    setAwaited(arrived < 0 ? [] : awaited.slice(arrived + 1))
  }
  return [awaited.at(-1) ?? inAddress, (text) => setAwaited((before) => [...before, text])]
}
