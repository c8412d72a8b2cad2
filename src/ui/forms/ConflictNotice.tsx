import { Button } from '../controls/Button.tsx'
import { Alert } from '../display/Alert.tsx'

interface ConflictNoticeProps {
  /** What was changed: 'Someone else has changed this task.' */
  title: string
  /** Continues with the typed values or with the saved ones. */
  onResolve: (keep: 'mine' | 'theirs') => void
  className?: string
}

/** Shown in a form whose record someone else has saved in the meantime. */
export function ConflictNotice({ title, onResolve, className }: ConflictNoticeProps) {
  return (
    <Alert
      tone="warning"
      title={title}
      className={className}
      action={
        <span className="flex gap-2">
          <Button size="sm" onClick={() => onResolve('mine')}>
            Keep what I typed
          </Button>
          <Button size="sm" onClick={() => onResolve('theirs')}>
            Show theirs
          </Button>
        </span>
      }
    >
      Nothing was saved yet.
    </Alert>
  )
}
