import { cn } from '../../../../ui/cn.ts'
import type { DraftView } from './draft-store.ts'

/** Whether the draft is saved. */
export function SaveState({ view: { save, refusal } }: { view: DraftView }) {
  const isFailed = save === 'failed' || refusal !== null
  const words = isFailed
    ? `Not saved${refusal && 'message' in refusal ? `: ${refusal.message}` : ''}`
    : save === 'saved'
      ? 'Saved'
      : save === 'idle'
        ? ''
        : 'Saving…'
  return (
    <span
      // Announced only on failure; announcing every save would be too much.
      role={isFailed ? 'status' : undefined}
      data-save-state
      title={words}
      className={cn('min-w-0 truncate text-xs', isFailed ? 'text-danger-fg' : 'text-fg-3')}
    >
      {words}
    </span>
  )
}
