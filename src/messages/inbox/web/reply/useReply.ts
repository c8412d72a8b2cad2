import { NotebookPen, Reply } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { client, codeOf, messageOf } from '../../../../ui/client/api.ts'
import { inboxMessages } from '../../contract.ts'
import type { ConversationData } from '../inbox-data.ts'
import { type Draft, keepDraft, noWords, recallDraft, withoutSent } from './drafts.ts'
import { placeholdersIn } from './missing.ts'
import { useSend } from './useSend.ts'

/** An action requested by a key; `asked` is a counter, so the same key can request it again. */
export type Composing = { mode: Draft['mode']; asked: number }

export const modes = {
  reply: { label: 'Reply', icon: Reply, submit: 'Send reply', busy: 'Sending…', empty: inboxMessages.words, most: 50_000 },
  note: { label: 'Internal note', icon: NotebookPen, submit: 'Add note', busy: 'Adding…', empty: 'Write a note', most: 5_000 },
}

/** The draft of a reply or note to a conversation, kept across navigation, and its sending. `field`: for the text area. */
export function useReply({ id, suppressed, channel }: ConversationData, composing: Composing | null) {
  const [draft, setDraft] = useState(() => recallDraft(id))
  const [error, setError] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const { send, isBusy } = useSend()
  const mode = suppressed && channel !== 'portal' ? 'note' : draft.mode
  const isNote = mode === 'note'
  const text = isNote ? draft.note : draft.reply
  const missing = isNote ? [] : [...new Set([...placeholdersIn(draft.reply), ...draft.missing])]

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    setError(null)
    setRefusal(null)
    keepDraft(id, next)
  }
  /** Text typed while sending is kept, here and in the stored draft, which is all that remains once another conversation is open. */
  function clear(sent: Draft) {
    setDraft((now) => withoutSent(now, sent))
    setError(null)
    setRefusal(null)
    keepDraft(id, withoutSent(recallDraft(id), sent))
  }
  const write = (typed: string) => change(isNote ? { note: typed } : typed.trim() === '' ? { ...noWords, reply: typed } : { reply: typed })

  const asked = useRef(composing?.asked ?? 0)
  useEffect(() => {
    if (!composing || composing.asked === asked.current) return
    asked.current = composing.asked
    setDraft((before) => ({ ...before, mode: composing.mode }))
    field.current?.focus()
  }, [composing])

  async function submit() {
    if (isBusy) return
    const trimmed = text.trim()
    if (!trimmed) {
      setError(modes[mode].empty)
      field.current?.focus()
      return
    }
    if (await (isNote ? addNote(trimmed) : sendReply(trimmed))) clear({ ...draft, mode })
  }

  const addNote = (note: string) =>
    send({ id, text: note }, ({ idempotencyKey: _, ...content }) => client.inbox.addNote(content), { failed: 'Couldn’t add the note' })

  function sendReply(reply: string) {
    const documentIds = draft.documents.map((document) => document.id)
    const isCommercial = draft.isCommercial || draft.isOffer
    const own = { documentIds: channel === 'email' ? documentIds : [], isCommercial: channel !== 'portal' && isCommercial }
    return send(
      { id, text: reply, templateId: channel === 'sms' ? null : draft.templateId, ...own },
      (content) => client.inbox.reply(content),
      {
        ...(channel === 'sms' && { failed: inboxMessages.sendText }),
        tell(failure) {
          if (codeOf(failure) !== 'NO_CONSENT') return false
          setRefusal(messageOf(failure))
          return true
        },
      },
    )
  }

  return { field, draft, mode, text, error, refusal, missing, isBusy, change, write, submit }
}
