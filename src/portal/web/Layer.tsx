import type { ReactNode } from 'react'
import { toast } from '../../ui/overlays/toast.ts'
import { type Loadable, useLoaded } from '../../ui/hooks/useLoaded.ts'

interface LayerProps<Code> {
  code: Loadable<Code>
  /** Its code did not come: takes the layer away, and a message says so. */
  onFail?: () => void
  children: (code: Code) => ReactNode
}

/** A part whose code comes when it is opened. Nothing waits here for keys, so the portal does without what holds them: see `lazyDialog`. */
export function Layer<Code extends object>({ code, onFail, children }: LayerProps<Code>) {
  const loaded = useLoaded(code, () => {
    onFail?.()
    toast.single('error', 'This did not open', 'The connection was lost.')
  })
  return loaded && children(loaded)
}
