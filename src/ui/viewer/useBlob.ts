import { useEffect, useState } from 'react'

type State = { blob: Blob; url: string } | { error: string } | null

/** Bytes of a file with an object URL that is valid while mounted. `load` is called once; use another `key` for another file. */
export function useBlob(load: (signal: AbortSignal) => Promise<Blob>): { state: State; retry: () => void } {
  const [state, setState] = useState<State>(null)
  const [attempt, setAttempt] = useState(0)
  const [first] = useState(() => load)
  useEffect(() => {
    const abort = new AbortController()
    let url: string | null = null
    setState(null)
    first(abort.signal).then(
      (blob) => {
        if (abort.signal.aborted) return
        url = URL.createObjectURL(blob)
        setState({ blob, url })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ error: error instanceof Error ? error.message : String(error) })
      },
    )
    return () => {
      abort.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [first, attempt])
  return { state, retry: () => setAttempt((now) => now + 1) }
}
