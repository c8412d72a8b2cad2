import type { ReactNode } from 'react'
import { toast } from '../../ui/overlays/toast.ts'
import { type Loadable, useLoaded } from '../../ui/hooks/useLoaded.ts'
import { useTexts } from '../../ui/patient/language.ts'
import { portalTexts } from './texts.ts'

interface LazyDialogProps<Code> {
  code: Loadable<Code>
  /** Called if the code fails to load; an error toast is shown. */
  onFail?: () => void
  children: (code: Code) => ReactNode
}

/** Loads a dialog's code when it opens. Simpler than `lazyDialog`, because the portal has no keyboard shortcuts to queue. */
export function LazyDialog<Code extends object>({ code, onFail, children }: LazyDialogProps<Code>) {
  const t = useTexts(portalTexts)
  const loaded = useLoaded(code, () => {
    onFail?.()
    toast.single('error', t('notOpened'), t('connectionLost'))
  })
  return loaded && children(loaded)
}
