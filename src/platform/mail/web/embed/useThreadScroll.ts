import { type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef } from 'react'

/** Px from the end within which the user counts as reading the end. */
const nearTheEnd = 120

/**
 * Scroll position of an email list, an `ol` with the oldest first: starts at the first `data-unread`, otherwise at the newest, also while emails
 * load and the composer grows, and then stays at the end while the user reads the end.
 * @param lastId the newest loaded; null if none
 */
export function useThreadScroll(
  lastId: string | null,
  hasUnread: boolean,
): { ref: RefObject<HTMLDivElement | null>; onScroll: (event: UIEvent<HTMLElement>) => void } {
  const ref = useRef<HTMLDivElement>(null)
  const wasAtEnd = useRef(true)
  const beginsAtUnread = useRef(hasUnread)
  /** What is kept in sight. Null: the user has scrolled elsewhere. */
  const kept = useRef<'end' | HTMLElement | null>('end')
  const placedAt = useRef(0)

  function place() {
    const element = ref.current
    if (kept.current instanceof HTMLElement && !kept.current.isConnected) kept.current = null
    if (!element || kept.current === null) return
    element.scrollTop = kept.current === 'end' ? element.scrollHeight : kept.current.offsetTop - 8
    placedAt.current = element.scrollTop
  }

  useLayoutEffect(() => {
    const element = ref.current
    const last = element?.querySelector('ol')?.lastElementChild
    if (!element || !(last instanceof HTMLElement) || !wasAtEnd.current) return
    const unread = beginsAtUnread.current ? element.querySelector<HTMLElement>('[data-unread]') : null
    beginsAtUnread.current = false
    kept.current = unread ?? (last.offsetHeight > element.clientHeight ? last : 'end')
    place()
  }, [lastId])

  const isEmpty = lastId === null
  useEffect(() => {
    const element = ref.current
    const list = element?.querySelector('ol')
    if (!element || !list || isEmpty) return
    const observer = new ResizeObserver(place)
    observer.observe(element)
    observer.observe(list)
    // What the user opens grows where it is.
    const settle = () => observer.unobserve(list)
    const inputs = ['pointerdown', 'keydown'] as const
    for (const input of inputs) element.addEventListener(input, settle)
    return () => {
      observer.disconnect()
      for (const input of inputs) element.removeEventListener(input, settle)
    }
  }, [isEmpty])

  return {
    ref,
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) {
      wasAtEnd.current = scrollHeight - scrollTop - clientHeight < nearTheEnd
      if (Math.abs(scrollTop - placedAt.current) > 1) kept.current = wasAtEnd.current ? 'end' : null
    },
  }
}
