import type { ReactNode } from 'react'
import { toast } from '../../ui/overlays/toast.ts'
import { type Loadable, useLoaded } from '../../ui/hooks/useLoaded.ts'

interface LazyDialogProps<Code> {
  code: Loadable<Code>
  /** Called if the code fails to load; an error toast is shown. */
  onFail?: () => void
  children: (code: Code) => ReactNode
}

/** Loads a dialog's code when it opens. Simpler than `lazyDialog`, because the portal has no keyboard shortcuts to queue. */
export function LazyDialog<Code extends object>({ code, onFail, children }: LazyDialogProps<Code>) {
  const loaded = useLoaded(code, () => {
    onFail?.()
    toast.single('error', 'Couldn’t open this', 'The connection was lost. Please try again.')
  })
  return loaded && children(loaded)
}
