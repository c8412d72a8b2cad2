import { CircleAlert, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { MailLine } from '../../../../platform/mail/web/embed/MailLine.tsx'
import type { DraftView, Words } from '../compose/draft-store.ts'
import { useSendDraft } from '../compose/useSendDraft.ts'
import { type DraftData, nameOf, noSubject } from '../mailbox-data.ts'
import type { useDrafts } from '../useMailbox.ts'

interface DraftListProps {
  drafts: ReturnType<typeof useDrafts>
  /** Drafts that exist only in the tab. */
  unsaved: readonly DraftView[]
  open: string | undefined
  current: string | null
  onOpen: (draft: { id: string } & Pick<Words, 'answers'>) => void
}

/** The ids in the list, in order. */
export const draftIds = (drafts: readonly DraftData[], unsaved: readonly DraftView[]): string[] => [
  ...unsaved.flatMap(({ id }) => (drafts.some((draft) => draft.id === id) ? [] : [id])),
  ...drafts.map(({ id }) => id),
]

/** Unsent drafts of all windows; a failed one says why. */
export function DraftList({ drafts, unsaved, open, current, onOpen }: DraftListProps) {
  const clock = useClock()
  const kept = drafts.data ?? []
  const here = unsaved.filter(({ id }) => !kept.some((draft) => draft.id === id))
  if (!drafts.data && here.length === 0) {
    return drafts.error ? (
      <ErrorState title="Couldn’t load the drafts" onRetry={() => void drafts.refetch()} retrying={drafts.isFetching}>
        {messageOf(drafts.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-20 md:px-4" />
    )
  }
  if (kept.length === 0 && here.length === 0) {
    return (
      <EmptyState icon={<PenLine />} title="No drafts">
        What you begin and do not send is kept here.
      </EmptyState>
    )
  }
  const line = (draft: { id: string; words: Words; at: string; marks?: ReactNode }) => (
    <MailLine
      email={{
        id: draft.id,
        who: whoFor(draft.words),
        subject: draft.words.subject || noSubject,
        snippet: draft.words.text.slice(0, 200) || 'No words',
        at: draft.at,
        unread: false,
        marks: draft.marks,
      }}
      clock={clock}
      isOpen={draft.id === open}
      isCurrent={draft.id === current}
      onOpen={() => onOpen({ id: draft.id, answers: draft.words.answers })}
    />
  )
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Drafts">
        {here.map(({ id, words }) => (
          <li key={id} className="h-20">
            {line({
              id,
              words,
              at: new Date(clock.now).toISOString(),
              marks: <span className="flex-none text-warning-fg">Not saved yet ·</span>,
            })}
          </li>
        ))}
        {kept.map((draft) => (
          <li key={draft.id} className="border-b border-line">
            {/* The error belongs to the row, so the border is below it. */}
            <div className="h-20 [&>div]:border-b-0">
              {line({
                id: draft.id,
                words: draft,
                at: draft.updatedAt,
                marks: draft.state === 'sending' && <span className="flex-none text-accent-fg">Sending… ·</span>,
              })}
            </div>
            <Failed draft={draft} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function whoFor({ to, cc, bcc }: Pick<Words, 'to' | 'cc' | 'bcc'>): string {
  const people = [...to, ...cc, ...bcc]
  return people.length > 0 ? `To ${people.map(nameOf).join(', ')}` : 'No recipients'
}

/** Why it was not sent, or that delivery is uncertain. */
function Failed({ draft }: { draft: DraftData }) {
  const { send, isBusy } = useSendDraft()
  if (draft.state !== 'failed' && draft.state !== 'unsure') return null
  return (
    <div className="relative flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 pb-3 text-sm text-danger-fg">
      <CircleAlert aria-hidden="true" className="self-start mt-0.5" />
      <p className="min-w-0 flex-1 basis-40">
        <strong className="font-semibold">{draft.state === 'failed' ? 'Not sent.' : 'It may have gone out.'}</strong> {draft.problem}
      </p>
      <Button size="sm" busy={isBusy} busyLabel="Sending…" onClick={() => void send(draft.id, draft.version)}>
        Resend
      </Button>
    </div>
  )
}
