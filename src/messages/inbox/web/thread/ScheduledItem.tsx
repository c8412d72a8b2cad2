import { CalendarClock, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { RichTextView } from '../../../../ui/rich-text/RichText.tsx'
import type { ConversationData } from '../inbox-data.ts'
import { inboxPictures } from '../reply/pictures.ts'
import { channelLabels } from '../labels.ts'
import type { Actions } from '../useActions.ts'

const ScheduledDialog = lazyDialog(
  () => import('./ScheduledDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ScheduledItemProps {
  message: ConversationData['scheduled'][number]
  people: readonly Person[]
  clock: Clock
  actions: Actions
}

const shownPictures = inboxPictures(() => undefined)

/** A message that waits for its time: it can be changed, cancelled or sent at once. */
export function ScheduledItem({ message, people, clock, actions }: ScheduledItemProps) {
  const [busy, setBusy] = useState<'send' | 'cancel' | null>(null)
  const [isChanging, setChanging] = useState(false)
  const { id, channel, subject, text, html, sendAt, problem, createdBy } = message
  const author = people.find((person) => person.id === createdBy)?.fullName ?? 'Former staff'
  async function act(what: 'send' | 'cancel', action: () => Promise<unknown>) {
    setBusy(what)
    await action()
    setBusy(null)
  }
  return (
    <li className="flex max-w-[85%] flex-col items-end gap-1 self-end">
      <div className="rounded-lg border border-dashed border-line-2 bg-surface px-3.5 py-2 text-md break-words whitespace-pre-wrap text-fg">
        {subject !== null && <p className="font-medium">{subject}</p>}
        {html === null ? text : <RichTextView html={html} pictures={shownPictures} className="whitespace-normal" />}
      </div>
      <p className="flex items-start gap-1.5 text-right text-xs text-fg-3">
        <CalendarClock aria-hidden="true" className="mt-px size-3.5! flex-none" />
        {channelLabels[channel]} · {author} · {problem === null ? 'Scheduled for' : 'Was due'} {formatDateTime(sendAt, clock)}
      </p>
      {problem !== null && (
        <p className="flex gap-1.5 text-xs text-danger-fg">
          <CircleAlert aria-hidden="true" className="size-3.5!" />
          <span>
            <strong className="font-semibold">Not sent.</strong> {problem}
          </span>
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-1">
        <Button
          size="sm"
          variant="quiet"
          busy={busy === 'send'}
          busyLabel="Sending…"
          onClick={() => void act('send', () => actions.sendScheduled(id))}
        >
          Send now
        </Button>
        <Button size="sm" variant="quiet" onClick={() => setChanging(true)}>
          Change
        </Button>
        <Button
          size="sm"
          variant="quiet"
          busy={busy === 'cancel'}
          busyLabel="Cancelling…"
          onClick={() => void act('cancel', () => actions.cancelScheduled(id))}
        >
          Cancel
        </Button>
      </div>
      {isChanging && (
        <ScheduledDialog
          message={message}
          onClose={() => setChanging(false)}
          onSave={async (change) => {
            if (await actions.changeScheduled({ id, ...change })) setChanging(false)
          }}
        />
      )}
    </li>
  )
}
