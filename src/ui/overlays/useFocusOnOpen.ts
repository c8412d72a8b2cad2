import { type RefCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { bufferKeys } from '../hooks/key-buffer.ts'

interface Opening {
  /** Moves the focus into the layer. */
  focus: (content: HTMLElement) => void
  /** Escape handler until then. */
  callOff: () => void
}

/**
 * Ref of a layer's content. The layer is visible some renders before it handles keys: until then typing is buffered and Escape cancels it;
 * then the focus moves into it, unless already there.
 */
export function useFocusOnOpen({ focus, callOff }: Opening): RefCallback<HTMLElement> {
  const [content, setContent] = useState<HTMLElement | null>(null)
  // One render after the content, when the layer starts listening.
  const [hearing, setHearing] = useState<HTMLElement | null>(null)
  const release = useRef<() => void>(null)
  const close = useEffectEvent(callOff)
  const enter = useEffectEvent(focus)
  useLayoutEffect(() => {
    if (!content || holdsFocus(content)) return
    release.current = bufferKeys(() => close())
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

/**
 * Focuses the first field rather than the ×; without one, or on a touch screen where a field would open the keyboard, the layer itself.
 */
export function focusFirstField(content: HTMLElement) {
  const field = matchMedia('(pointer: coarse)').matches
    ? null
    : content.querySelector<HTMLElement>('[data-autofocus], [data-dialog-body] :is(input, textarea, [role="combobox"]):not(:disabled)')
  const first = field ?? content
  first.focus()
}
