import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react'

/** Px from the end within which the user counts as reading the end. */
const nearTheEnd = 120

/**
 * Scroll position of an email list, an `ol` with the oldest first: starts at the first `data-unread`, otherwise at the newest, and then
 * stays at the end while the user reads the end.
 * @param lastId the newest loaded; null if none
 */
export function useThreadScroll(
  lastId: string | null,
  hasUnread: boolean,
): { ref: RefObject<HTMLDivElement | null>; onScroll: (event: UIEvent<HTMLElement>) => void } {
  const ref = useRef<HTMLDivElement>(null)
  const wasAtEnd = useRef(true)
  const beginsAtUnread = useRef(hasUnread)

  useLayoutEffect(() => {
    const element = ref.current
    const last = element?.querySelector('ol')?.lastElementChild
    if (!element || !(last instanceof HTMLElement) || !wasAtEnd.current) return
    const unread = beginsAtUnread.current ? element.querySelector<HTMLElement>('[data-unread]') : null
    beginsAtUnread.current = false
    const start = unread ?? (last.offsetHeight > element.clientHeight ? last : null)
    element.scrollTop = start ? start.offsetTop - 8 : element.scrollHeight
  }, [lastId])

  return {
    ref,
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) {
      wasAtEnd.current = scrollHeight - scrollTop - clientHeight < nearTheEnd
    },
  }
}
