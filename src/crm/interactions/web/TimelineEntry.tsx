import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Person } from '../../../platform/auth/people-contract.ts'
import type { FunnelStage } from '../../pipeline/contract.ts'
import { formatStageTime } from '../../pipeline/web/embed/stage-time.ts'
import { type Clock, formatDateTime, formatMoney, formatTime } from '../../../ui/format.ts'
import { TimelineItem, TimelineText } from '../../../ui/display/Timeline.tsx'
import { useSession } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { previousStageDuration } from './days.ts'
import type { Entry } from './entry.ts'
import { kindTones } from './kind-tones.ts'
import { kindIcons } from './kind-icons.tsx'
import { PinButton } from './PinButton.tsx'
import { type ReceiptNote, receiptNoteOf } from './receipt-note.ts'
import { describeEntry } from './describe-entry.ts'

/** The patient's stage moves, oldest first. */
export type Moves = readonly { fromStageId: string | null; toStageId: string; changedAt: string }[]

/** Data about the patient and the clinic that entries are described with. */
export interface EntryContext {
  /** The patient's first name. */
  firstName: string
  people: readonly Person[]
  stages: readonly FunnelStage[]
  history: Moves
  clock: Clock
}

interface TimelineEntryProps extends EntryContext {
  entry: Entry
  /** Shown instead of the time of day. */
  time?: string
  footnote?: string
}

export function TimelineEntry({ entry, firstName, people, stages, history, clock, time, footnote }: TimelineEntryProps) {
  const Icon = kindIcons[entry.type]
  const stage = stages.find(({ id }) => id === entry.metadata?.to)
  const previousStay = stage ? previousStageDuration(entry, stage.id, history) : null
  const who = nameOf(entry.createdBy, people)
  const receipt = receiptNoteOf(entry)
  const { summary, text } = describeEntry(entry, {
    who,
    receipt,
    patient: firstName,
    stage: stage?.name ?? null,
    stayed: previousStay === null ? null : formatStageTime(previousStay),
    lostReason: typeof entry.metadata?.lostReason === 'string' ? entry.metadata.lostReason : null,
  })

  return (
    <TimelineItem
      icon={<Icon />}
      tone={kindTones[entry.type]}
      // oxlint-disable-next-line no-array-index-key -- the author and the patient may have the same name; the parts never reorder
      summary={summary.map((part, place) => (typeof part === 'string' ? part : <strong key={place}>{part.strong}</strong>))}
      time={time ?? formatTime(entry.date, clock.timeZone)}
      exactTime={formatDateTime(entry.date, clock)}
      actions={entry.type === 'note' && <PinButton entry={entry} />}
    >
      {text !== null && <EntryText text={text} quoted={entry.type === 'email'} />}
      {receipt && <PaymentSummary receipt={receipt} who={who} />}
      {typeof entry.metadata?.conversationId === 'string' && <ConversationLink id={entry.metadata.conversationId} />}
      <ThreadLink mailbox={entry.metadata?.mailbox} />
      {footnote !== undefined && <p className="pt-0.5 text-xs text-fg-3">{footnote}</p>}
    </TimelineItem>
  )
}

export function nameOf(id: string | null, people: readonly Person[]): string | null {
  if (id === null) return null
  return people.find((person) => person.id === id)?.fullName ?? (people.length > 0 ? 'Former staff' : '')
}

/** A link to the conversation, for users who may open the inbox. */
function ConversationLink({ id }: { id: string }) {
  if (!usePermission()('inbox.conversation')) return null
  return (
    <Link
      to="/inbox"
      search={{ conversation: id }}
      className="relative mt-1 inline-block rounded-xs text-sm font-medium text-accent-fg touch-target hover:text-accent-hover"
    >
      Open conversation
    </Link>
  )
}

/** A link to the email thread, for the owner of the mailbox. */
function ThreadLink({ mailbox }: { mailbox: unknown }) {
  const { user } = useSession()
  const { ownerId, threadId } = (mailbox ?? {}) as { ownerId?: string; threadId?: string }
  if (!threadId || !ownerId || ownerId !== user?.id) return null
  return (
    <Link
      to="/email"
      search={{ thread: threadId }}
      className="relative mt-1 inline-block rounded-xs text-sm font-medium text-accent-fg touch-target hover:text-accent-hover"
    >
      Open in your mailbox
    </Link>
  )
}

/** The amount paid, the payment method, the deposit account and the author. */
function PaymentSummary({ receipt, who }: { receipt: ReceiptNote; who: string | null }) {
  return (
    <p className="flex max-w-[60ch] flex-wrap items-baseline gap-x-3 gap-y-0.5 rounded-md border border-line px-3 py-2 text-sm text-fg-2">
      <span className="min-w-0 flex-1">
        <strong className="font-semibold text-fg tabular-nums">{formatMoney(receipt.totalCents)}</strong> {receipt.paid}
      </span>
      {who && <span className="flex-none text-xs text-fg-3">By {who}</span>}
    </p>
  )
}

/** About ten lines. */
const longText = 600

/** The text of an entry. Long texts are collapsed, so that one note does not push the others off the screen. */
function EntryText({ text, quoted }: { text: string; quoted: boolean }) {
  const [isExpanded, setExpanded] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > 12
  return (
    <>
      <TimelineText quoted={quoted}>
        <span className={isLong && !isExpanded ? 'line-clamp-[8]' : undefined}>{text}</span>
      </TimelineText>
      {isLong && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
          className="relative mt-1 rounded-xs text-sm font-medium text-accent-fg touch-target hover:text-accent-hover"
        >
          {isExpanded ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
