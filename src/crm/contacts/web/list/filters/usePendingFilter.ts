import { useState } from 'react'

/**
 * The latest value set, before the URL has caught up, so that two quick choices both count. Once the URL has the last value set, or one
 * that was never set (back button), the URL counts again.
 */
export function usePendingFilter(inAddress: string): [latest: string, setLatest: (text: string) => void] {
  const [known, setKnown] = useState(inAddress)
  const [awaited, setAwaited] = useState<readonly string[]>([])
  if (inAddress !== known) {
    const arrived = awaited.indexOf(inAddress)
    setKnown(inAddress)
    setAwaited(arrived < 0 ? [] : awaited.slice(arrived + 1))
  }
  return [awaited.at(-1) ?? inAddress, (text) => setAwaited((before) => [...before, text])]
}
