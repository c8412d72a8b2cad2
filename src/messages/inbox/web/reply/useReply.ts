import { useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { inboxMessages } from '../../contract.ts'
import { isFormatted, textOfWritten } from '../../../../platform/mail/written-rules.ts'
import { htmlFromText } from '../../../email-templates/rules.ts'
import type { RichTextHandle } from '../../../../ui/rich-text/RichTextEditor.tsx'
import { type Channel, replySubject } from '../../rules.ts'
import { type ConversationData, keyOf, type WayData } from '../inbox-data.ts'
import { channelIcons } from '../icons.ts'
import { channelLabels } from '../labels.ts'
import { searchAfterSlash } from '../quick/find.ts'
import { type Draft, keepDraft, noWords, recallDraft, withoutSent } from './drafts.ts'
import { placeholdersIn } from './missing.ts'
import { useAnnounceReplying } from './useReplying.ts'
import { useSend } from './useSend.ts'
import { wayTo } from './ways.ts'

/** When the newest message was written. Undefined: there is none. */
const newestOf = ({ messages }: ConversationData): string | undefined => messages.at(-1)?.createdAt

/** What a key or a button asks the composer for; `asked` is a counter, so the same can be asked again. */
export type Composing = { mode: Draft['mode']; channel?: Channel; text?: string; asked: number }

/** A tab of the composer: a channel, or an internal note. */
export type Tab = Channel | 'note'
export const tabs = {
  sms: { label: channelLabels.sms, icon: channelIcons.sms, submit: 'Send text', busy: 'Sending…' },
  email: { label: channelLabels.email, icon: channelIcons.email, submit: 'Send email', busy: 'Sending…' },
  portal: { label: channelLabels.portal, icon: channelIcons.portal, submit: 'Send reply', busy: 'Sending…' },
  note: { label: 'Internal note', icon: Lock, submit: 'Add note', busy: 'Adding…' },
} as const

/** The draft of a reply or note to a conversation, kept across navigation, and its sending. `field`: for the text area. */
export function useReply(conversation: ConversationData, composing: Composing | null, onSent: () => void) {
  const { id, contact, ways } = conversation
  const key = keyOf(conversation)
  const [draft, setDraft] = useState(() => recallDraft(key))
  const [errors, setErrors] = useState<{ text?: string; subject?: string }>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  /** The text area, or the editor of an email. */
  const field = useRef<RichTextHandle>(null)
  /** How often the field was to take the focus: it may be another one after that, or not loaded yet. */
  const [focusAsked, setFocusAsked] = useState(0)
  const focus = () => setFocusAsked((before) => before + 1)
  useEffect(() => {
    if (focusAsked > 0) field.current?.focus()
  }, [focusAsked])
  /** Pictures are being added. */
  const [isAdding, setAdding] = useState(false)
  const cache = useQueryClient()
  const clock = useClock()
  const { send, isBusy } = useSend()
  const way = wayTo(ways, draft)
  const tab: Tab = draft.mode === 'note' || way === null ? 'note' : way.channel
  const isNote = tab === 'note'
  const text = isNote ? draft.note : draft.reply
  const [seenUntil, setSeenUntil] = useState(() => newestOf(conversation))
  /** A colleague has answered: what was to be sent waits for a decision. */
  const [isAsking, setAsking] = useState(false)
  const announce = useAnnounceReplying(id)
  const missing = isNote ? [] : [...new Set([...placeholdersIn(draft.reply), ...draft.missing])]
  /** Of an email that continues a thread. */
  const threadSubject = way?.subject == null ? '' : replySubject(way.subject)
  const subject = draft.subject ?? threadSubject

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    setErrors({})
    setRefusal(null)
    keepDraft(key, next)
  }
  /** Text typed while sending is kept, here and in the stored draft, which is all that remains once another conversation is open. */
  function clear(sent: Draft) {
    setDraft((now) => withoutSent(now, sent))
    setErrors({})
    setRefusal(null)
    keepDraft(key, withoutSent(recallDraft(key), sent))
    onSent()
  }
  function write(typed: string) {
    if (!isNote && typed.trim() !== '') announce()
    change(
      isNote ? { note: typed } : typed.trim() === '' ? { ...noWords, subject: draft.subject, reply: typed } : { reply: typed, html: null },
    )
  }
  /** An email. Its text is what another channel would send. */
  function writeMail(html: string) {
    const reply = textOfWritten(html)
    if (reply !== '') announce()
    change(reply === '' ? { ...noWords, subject: draft.subject } : { reply, html })
  }
  /** Adds words at the end, or in the place of what was typed after a slash. */
  function insert(words: string, { part = {}, apart = ' ' }: { part?: Partial<Draft>; apart?: string } = {}) {
    const isReplaced = draft.reply.trim() === '' || searchAfterSlash(draft.reply) !== null
    const html = tab === 'email' && !isReplaced && draft.html !== null ? draft.html + htmlFromText(words) : null
    const reply = html !== null ? textOfWritten(html) : isReplaced ? words : `${draft.reply.trimEnd()}${apart}${words}`
    change({ ...part, reply, html })
    focus()
  }
  function choose(next: Tab) {
    change(next === 'note' ? { mode: 'note' } : { mode: 'reply', channel: next, address: null })
    focus()
  }

  const asked = useRef(composing?.asked ?? 0)
  useEffect(() => {
    if (!composing || composing.asked === asked.current) return
    asked.current = composing.asked
    const { mode, channel, text: given } = composing
    setDraft((before) => ({
      ...before,
      mode,
      ...(channel && { channel, address: null }),
      ...(given !== undefined && before.reply.trim() === '' && { reply: given, html: null }),
    }))
    focus()
  }, [composing])

  /** Null: something is missing, and is shown. */
  function checked(): string | null {
    const trimmed = text.trim()
    if (tab === 'email' && isAdding) {
      setErrors({ text: 'Wait until the pictures are added' })
      return null
    }
    const isUntitled = tab === 'email' && contact !== null && subject.trim() === ''
    if (!trimmed || isUntitled) {
      setErrors({
        ...(!trimmed && { text: isNote ? 'Write a note' : inboxMessages.words }),
        ...(isUntitled && { subject: inboxMessages.subject }),
      })
      if (!trimmed) field.current?.focus()
      return null
    }
    return trimmed
  }

  /** @param until the newest message that the author has seen */
  async function submit(until: string | undefined = seenUntil) {
    const trimmed = isBusy ? null : checked()
    if (trimmed === null) return
    if (await (isNote ? addNote(trimmed) : sendTo(way!, trimmed, until))) clear({ ...draft, mode: isNote ? 'note' : 'reply' })
  }

  const addNote = (note: string) =>
    send({ id, text: note }, ({ idempotencyKey: _, ...content }) => client.inbox.addNote(content), { failed: 'Couldn’t add the note' })

  const tell = (failure: unknown) => {
    if (codeOf(failure) === 'ANSWERED') {
      setAsking(true)
      void cache.invalidateQueries({ queryKey: orpc.inbox.conversation.key() })
      return true
    }
    if (codeOf(failure) !== 'NO_CONSENT') return false
    setRefusal(messageOf(failure))
    return true
  }

  /** Without formatting, an email is sent as its text. */
  const mailWords = (text: string) => {
    const html = draft.html !== null && isFormatted(draft.html) ? draft.html : null
    return { ...(html === null ? { text } : { text: '', html }), withSignature: !draft.isUnsigned }
  }

  /** Continues the thread with the address, or begins one: the first, or an email about something else. */
  function sendTo({ channel, address, threadId }: WayData, text: string, until: string | undefined): Promise<object | null> {
    const words = { text, seenUntil: until }
    const contactId = contact?.id ?? ''
    const isCommercial = channel !== 'portal' && (draft.isCommercial || draft.isOffer)
    if (channel === 'sms') {
      const failed = { failed: inboxMessages.sendText, tell }
      return threadId
        ? send({ id: threadId, isCommercial, ...words }, (content) => client.inbox.reply(content), failed)
        : send({ contactId, phone: address, isCommercial, ...words }, (content) => client.inbox.text(content), failed)
    }
    const documentIds = channel === 'email' ? draft.documents.map((document) => document.id) : []
    const written = channel === 'email' ? mailWords(text) : { text }
    const mail = { ...written, seenUntil: until, templateId: draft.templateId, documentIds, isCommercial }
    return threadId && (channel === 'portal' || contact === null || subject.trim() === threadSubject)
      ? send({ id: threadId, ...mail }, (content) => client.inbox.reply(content), { tell })
      : send({ contactId, email: address, subject: subject.trim(), ...mail }, (content) => client.inbox.start(content), { tell })
  }

  /** A text or an email to a patient, to be sent at a time. */
  async function schedule(sendAt: string) {
    const trimmed = isBusy ? null : checked()
    if (trimmed === null || contact === null || way === null || way.channel === 'portal') return
    const { channel, address, threadId } = way
    const isNew = channel === 'email' && (threadId === null || subject.trim() !== threadSubject)
    const content = {
      contactId: contact.id,
      channel,
      address,
      threadId: channel === 'email' && !isNew ? threadId : null,
      subject: isNew ? subject.trim() : null,
      ...(channel === 'email' ? mailWords(trimmed) : { text: trimmed }),
      templateId: channel === 'email' ? draft.templateId : null,
      isCommercial: draft.isCommercial || draft.isOffer,
      sendAt,
    }
    if (!(await send(content, (given) => client.inbox.schedule(given), { failed: 'Couldn’t schedule the message' }))) return
    toast.success(`Scheduled for ${formatDateTime(sendAt, clock)}`)
    clear({ ...draft, mode: 'reply' })
  }

  /** Sends although a colleague has answered. */
  function sendAnyway() {
    setAsking(false)
    const until = newestOf(conversation)
    setSeenUntil(until)
    void submit(until)
  }

  return {
    schedule,
    isAsking,
    sendAnyway,
    keepWriting: () => setAsking(false),
    field,
    focus,
    draft,
    way,
    tab,
    text,
    /** The reply, for the editor of an email. */
    html: draft.html ?? (draft.reply === '' ? '' : htmlFromText(draft.reply)),
    writeMail,
    wantsFocus: focusAsked > 0,
    isAdding,
    setAdding,
    insert,
    subject,
    errors,
    refusal,
    missing,
    isBusy,
    change,
    choose,
    write,
    submit,
  }
}
export type Reply = ReturnType<typeof useReply>
