import { useCallback, useEffect, useRef, useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useSession } from '../../../../ui/client/session.ts'

/** In milliseconds: colleagues are notified this often while someone types, and forget it after this long without a word. */
const announceEvery = 4_000
const expiresAfter = 9_000

/** Tells colleagues that the user is writing, at most every few seconds. A failure is ignored: it is only a courtesy. */
export function useAnnounceReplying(conversation: string): () => void {
  const last = useRef(-Infinity)
  return useCallback(() => {
    const now = performance.now()
    if (now - last.current < announceEvery) return
    last.current = now
    void client.inbox.replying({ id: conversation }).catch(() => undefined)
  }, [conversation])
}

/**
 * The ids of colleagues who are writing in a conversation at the moment.
 * @param newest the newest message: once there is another, its author is no longer writing
 */
export function useReplying(conversation: string, newest: string | null): string[] {
  const { user } = useSession()
  const [people, setPeople] = useState<ReadonlyMap<string, number>>(new Map())
  const [seen, setSeen] = useState(newest)
  if (seen !== newest) {
    setSeen(newest)
    setPeople(new Map())
  }
  useLive(['replying'], (ids) => {
    const heard = [...(ids ?? [])].map((id) => id.split(' ')).filter(([where, who]) => where === conversation && who !== user?.id)
    if (heard.length === 0) return
    setPeople((before) => new Map([...before, ...heard.map(([, who]) => [who!, performance.now() + expiresAfter] as const)]))
  })
  const next = people.size === 0 ? null : Math.min(...people.values())
  useEffect(() => {
    if (next === null) return
    const timer = setTimeout(
      () => setPeople((before) => new Map([...before].filter(([, until]) => until > performance.now()))),
      Math.max(0, next - performance.now()) + 50,
    )
    return () => clearTimeout(timer)
  }, [next])
  return [...people.keys()]
}
