import { type ComponentType, type ReactNode, useEffectEvent, useLayoutEffect } from 'react'
import { dropHeldKeys, holdKeys } from '../hooks/held-keys.ts'
import { toast } from './toast.ts'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'

interface DialogCode<P> {
  (props: P): ReactNode
  code: Loadable<object>
  /** Fetches its code ahead of time. */
  prepare: () => void
}

/**
 * A dialog, menu or popover whose code comes when it is opened. Should it not come, because the connection is lost, a message says so and the
 * layer is closed: what it was opened from stays.
 *
 * @param close what takes it away
 * @param isAwaited whether the next keys are meant for it
 */
export function lazyDialog<P extends object>(
  fetchCode: () => Promise<{ default: ComponentType<P> }>,
  close: (props: P) => void,
  isAwaited: (props: P) => boolean = () => true,
): DialogCode<P> {
  const code = loadable(fetchCode)
  function LazyDialog(props: P) {
    const loaded = useDialogCode(code, () => close(props))
    if (!loaded) return isAwaited(props) ? <LoadingDialog onClose={() => close(props)} /> : null
    const { default: Part } = loaded
    return <Part {...props} />
  }
  return Object.assign(LazyDialog, { code, prepare: code.prepare })
}

/** The code of a layer that is opened; null until it is there. */
export function useDialogCode<T extends object>(code: Loadable<T>, close: () => void): T | null {
  return useLoaded(code, () => {
    dropHeldKeys()
    close()
    toast.error('This did not open', navigator.onLine ? 'If it stays so, load the page again.' : 'The connection was lost.')
  })
}

/** In place of a layer whose code is on its way: keys that are pressed are kept for it. */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => holdKeys(() => close()), [])
  return <span role="dialog" aria-label="Loading" hidden />
}
