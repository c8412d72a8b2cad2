import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Person } from '../../../platform/auth/people-contract.ts'
import type { FunnelStage } from '../../pipeline/contract.ts'
import { formatStageTime } from '../../pipeline/web/embed/stage-time.ts'
import { type Clock, formatDateTime, formatMoney, formatTime } from '../../../ui/format.ts'
import { TimelineItem, TimelineText } from '../../../ui/display/Timeline.tsx'
import { useSession } from '../../../ui/client/session.ts'
import { useMay } from '../../../ui/client/useMay.ts'
import { stayBefore } from './days.ts'
import type { Entry } from './entry.ts'
import { kindTones } from './kind-tones.ts'
import { kinds } from './kinds.tsx'
import { PinButton } from './PinButton.tsx'
import { type ReceiptNote, receiptNoteOf } from './receipt-note.ts'
import { sentenceOf } from './sentence.ts'

/** The patient's moves from stage to stage, oldest first. */
export type Moves = readonly { fromStageId: string | null; toStageId: string; changedAt: string }[]

/** What an entry's sentence needs to know of its surroundings. */
export interface Around {
  /** The patient's first name. */
  firstName: string
  people: readonly Person[]
  stages: readonly FunnelStage[]
  history: Moves
  clock: Clock
}

interface TimelineEntryProps extends Around {
  entry: Entry
  /** In place of the time of day. */
  time?: string
  footnote?: string
}

export function TimelineEntry({ entry, firstName, people, stages, history, clock, time, footnote }: TimelineEntryProps) {
  const Icon = kinds[entry.type]
  const stage = stages.find(({ id }) => id === entry.metadata?.to)
  const stay = stage ? stayBefore(entry, stage.id, history) : null
  const who = nameOf(entry.createdBy, people)
  const receipt = receiptNoteOf(entry)
  const { summary, text } = sentenceOf(entry, {
    who,
    receipt,
    patient: firstName,
    stage: stage?.name ?? null,
    stayed: stay === null ? null : formatStageTime(stay),
    lostReason: typeof entry.metadata?.lostReason === 'string' ? entry.metadata.lostReason : null,
  })

  return (
    <TimelineItem
      icon={<Icon />}
      tone={kindTones[entry.type]}
      // oxlint-disable-next-line no-array-index-key -- who did it and whom it was done to may be called the same; the words never reorder
      summary={summary.map((part, place) => (typeof part === 'string' ? part : <strong key={place}>{part.strong}</strong>))}
      time={time ?? formatTime(entry.date, clock.timeZone)}
      exactTime={formatDateTime(entry.date, clock)}
      actions={entry.type === 'note' && <PinButton entry={entry} />}
    >
      {text !== null && <Said text={text} quoted={entry.type === 'email'} />}
      {receipt && <Paid receipt={receipt} who={who} />}
      {typeof entry.metadata?.conversationId === 'string' && <ToConversation id={entry.metadata.conversationId} />}
      <ToThread mailbox={entry.metadata?.mailbox} />
      {footnote !== undefined && <p className="pt-0.5 text-xs text-fg-3">{footnote}</p>}
    </TimelineItem>
  )
}

export function nameOf(id: string | null, people: readonly Person[]): string | null {
  if (id === null) return null
  return people.find((person) => person.id === id)?.fullName ?? (people.length > 0 ? 'Former staff' : '')
}

/** For those who see the inbox: where the whole of it was said. */
function ToConversation({ id }: { id: string }) {
  if (!useMay()('inbox.conversation')) return null
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

/** For whoever's mailbox it is: the thread itself. */
function ToThread({ mailbox }: { mailbox: unknown }) {
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

/** What was paid, how and where to, and who took it. */
function Paid({ receipt, who }: { receipt: ReceiptNote; who: string | null }) {
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

/** A long text shows its beginning, so that one note does not push the rest out of sight. */
function Said({ text, quoted }: { text: string; quoted: boolean }) {
  const [whole, setWhole] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > 12
  return (
    <>
      <TimelineText quoted={quoted}>
        <span className={isLong && !whole ? 'line-clamp-[8]' : undefined}>{text}</span>
      </TimelineText>
      {isLong && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="relative mt-1 rounded-xs text-sm font-medium text-accent-fg touch-target hover:text-accent-hover"
        >
          {whole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
