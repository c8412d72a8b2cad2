import { type RefCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { holdKeys } from '../hooks/held-keys.ts'

interface Opening {
  /** Moves the focus into the layer. */
  focus: (content: HTMLElement) => void
  /** What Escape does until then. */
  callOff: () => void
}

/**
 * The ref of a layer's content. The layer can be seen some renders before it hears keys: until it does, what is typed is kept for it and Escape
 * calls it off; then the focus moves into it, unless it is there.
 */
export function useFocusOnOpen({ focus, callOff }: Opening): RefCallback<HTMLElement> {
  const [content, setContent] = useState<HTMLElement | null>(null)
  // A render later than the content, as the layer, which listens from then on.
  const [hearing, setHearing] = useState<HTMLElement | null>(null)
  const release = useRef<() => void>(null)
  const close = useEffectEvent(callOff)
  const enter = useEffectEvent(focus)
  useLayoutEffect(() => {
    if (!content || holdsFocus(content)) return
    release.current = holdKeys(() => close())
    return release.current
  }, [content])
  useEffect(() => setHearing(content), [content])
  useEffect(() => {
    if (!hearing) return
    if (!holdsFocus(hearing)) enter(hearing)
    release.current?.()
  }, [hearing])
  return setContent
}

const holdsFocus = (content: HTMLElement): boolean => content.contains(document.activeElement)
