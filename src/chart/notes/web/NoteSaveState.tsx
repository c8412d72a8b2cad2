import { CircleAlert, CloudOff } from 'lucide-react'
import { useClock } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { formatTime } from '../../../ui/format.ts'
import type { NoteDraftView } from './note-drafts.ts'

/** Whether the draft is saved: 'Saved 2:14 p.m.' */
export function NoteSaveState({ view: { save, refusal, updatedAt } }: { view: NoteDraftView }) {
  const { timeZone } = useClock()
  const isLost = refusal?.kind === 'lost'
  const isFailed = refusal !== null && !isLost
  const text = isLost
    ? 'Offline: kept on this device'
    : isFailed
      ? `Not saved${refusal.kind === 'refused' ? `: ${refusal.message}` : ''}`
      : save === 'waiting' || save === 'saving'
        ? 'Saving…'
        : `Saved ${formatTime(updatedAt, timeZone)}`
  return (
    <span
      // Announced only on failure; announcing every save would be too much.
      role={refusal ? 'status' : undefined}
      data-save-state
      title={text}
      className={cn(
        'mr-auto flex min-w-0 items-center gap-1.5 text-sm',
        isFailed ? 'text-danger-fg' : isLost ? 'text-warning-fg' : 'text-fg-2',
      )}
    >
      {isLost && <CloudOff aria-hidden="true" />}
      {isFailed && <CircleAlert aria-hidden="true" />}
      <span className="truncate">{text}</span>
    </span>
  )
}
