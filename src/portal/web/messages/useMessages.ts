import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OwnMessage } from '../../messages-contract.ts'
import { isSessionOver, type PatientSession, post } from '../calls.ts'
import type { TrackedCall } from '../quotes/useQuotes.ts'

/** A message as the API returns it: instants are ISO strings. */
export type MessageData = Omit<OwnMessage, 'createdAt'> & { createdAt: string }
interface Page {
  data: MessageData[]
  nextCursor: string | null
}

/** Oldest first. What was new when it was first shown stays so while the page is open. */
function merged(before: readonly MessageData[], more: readonly MessageData[]): MessageData[] {
  const byId = new Map(before.map((message) => [message.id, message]))
  for (const message of more) byId.set(message.id, byId.get(message.id) ?? message)
  return [...byId.values()].toSorted((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id))
}

/** The messages, loaded again when the patient returns to the window; opening them marks answers as read. */
export function useMessages(session: PatientSession, callTracked: TrackedCall) {
  const [messages, setMessages] = useState<readonly MessageData[] | 'failed' | null>(null)
  /** Undefined until known. */
  const [older, setOlder] = useState<string | null>()
  const sent = useRef<{ text: string; key: string } | null>(null)

  const call = (name: string, body: object) =>
    callTracked(async () => {
      const response = await post(name, { contactId: session.contactId, sessionToken: session.token, ...body })
      return (await response.json()) as Page
    })
  function show({ data, nextCursor }: Page, isOlder = false) {
    setMessages((before) => merged(Array.isArray(before) ? before : [], data))
    setOlder((before) => (isOlder || before === undefined ? nextCursor : before))
  }

  async function load() {
    try {
      show(await call('patient-messages-fetch', {}))
    } catch (error) {
      if (!isSessionOver(error)) setMessages((before) => before ?? 'failed')
    }
  }
  const reload = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void load()
  })
  useEffect(() => {
    reload()
    const onReturn = () => reload()
    document.addEventListener('visibilitychange', onReturn)
    addEventListener('focus', onReturn)
    return () => {
      document.removeEventListener('visibilitychange', onReturn)
      removeEventListener('focus', onReturn)
    }
  }, [])

  return {
    messages,
    hasOlder: Boolean(older),
    retry: () => {
      setMessages(null)
      void load()
    },
    loadOlder: async () => show(await call('patient-messages-fetch', { cursor: older }), true),
    /** The same text keeps its key until it is sent, so trying again never sends it twice. */
    send: async (text: string) => {
      if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() }
      show(await call('patient-message-write', sent.current))
      sent.current = null
    },
  }
}
