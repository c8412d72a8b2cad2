import { type ComponentType, type ReactNode, useDeferredValue, useEffectEvent, useLayoutEffect } from 'react'
import { dropBufferedKeys, bufferKeys } from '../hooks/key-buffer.ts'
import { toast } from './toast.ts'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'

interface DialogCode<P> {
  (props: P): ReactNode
  code: Loadable<object>
  /** Preloads its code. */
  prepare: () => void
}

interface LayerOptions<P> {
  /** Whether the next keys are meant for it. */
  isAwaited?: (props: P) => boolean
  /** Whether it takes several frames to render: the browser first paints the click that opened it. */
  isLarge?: boolean
}

/**
 * A dialog, menu or popover whose code is loaded when opened. If loading fails because the connection is lost, a toast says so and the
 * layer closes, leaving the page as it was.
 * @param close closes it
 */
export function lazyDialog<P extends object>(
  fetchCode: () => Promise<{ default: ComponentType<P> }>,
  close: (props: P) => void,
  { isAwaited = () => true, isLarge = false }: LayerOptions<P> = {},
): DialogCode<P> {
  const code = loadable(fetchCode)
  function LazyDialog(props: P) {
    const loaded = useDialogCode(code, () => close(props))
    const mayRender = useDeferredValue(true, !isLarge)
    if (!loaded || !mayRender) return isAwaited(props) ? <LoadingDialog onClose={() => close(props)} /> : null
    const { default: Part } = loaded
    return <Part {...props} />
  }
  return Object.assign(LazyDialog, { code, prepare: code.prepare })
}

/** The code of an opened layer; null until loaded. */
export function useDialogCode<T extends object>(code: Loadable<T>, close: () => void): T | null {
  return useLoaded(code, () => {
    dropBufferedKeys()
    close()
    toast.error('This did not open', navigator.onLine ? 'If this keeps happening, reload the page.' : 'The connection was lost.')
  })
}

/** Placeholder for a loading layer: buffers keys pressed for it. */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => bufferKeys(() => close()), [])
  return <span role="dialog" aria-label="Loading" hidden />
}
