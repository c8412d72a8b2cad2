import { cn } from '../../../../ui/cn.ts'
import type { DraftView } from './draft-keeper.ts'

/** Whether what appears here is kept. */
export function SaveState({ view: { save, refusal } }: { view: DraftView }) {
  const isFailed = save === 'failed' || refusal !== null
  const words = isFailed
    ? `Not saved${refusal && 'message' in refusal ? `: ${refusal.message}` : ''}`
    : save === 'saved'
      ? 'Saved'
      : save === 'idle'
        ? ''
        : 'Saving...'
  return (
    <span
      // Said when it fails; each save would be too much to listen to.
      role={isFailed ? 'status' : undefined}
      data-save-state
      title={words}
      className={cn('min-w-0 truncate text-xs', isFailed ? 'text-danger-fg' : 'text-fg-3')}
    >
      {words}
    </span>
  )
}
