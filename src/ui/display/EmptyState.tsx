import { CloudOff, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { cn } from '../cn.ts'

interface EmptyStateProps {
  icon?: ReactNode
  title: ReactNode
  /** One or two short sentences. */
  children?: ReactNode
  /** Primary action, then at most one other. */
  actions?: ReactNode
  className?: string
}

/** Empty state: what belongs here, and the action that adds it. */
export function EmptyState({ icon, title, children, actions, className }: EmptyStateProps) {
  return (
    <div className={cn('mx-auto flex max-w-80 flex-col items-center px-4 py-12 text-center', className)}>
      {icon && <span className="pb-3 text-fg-3 [&_svg]:size-5.5">{icon}</span>}
      <h2 className="text-md font-semibold text-fg">{title}</h2>
      {children && <div className="pt-1 text-sm text-balance text-fg-2">{children}</div>}
      {actions && <div className="flex flex-wrap justify-center gap-2 pt-4">{actions}</div>}
    </div>
  )
}

interface ErrorStateProps {
  /** What happened: 'Couldn’t load patients'. */
  title: ReactNode
  /** What is safe: 'What you typed is kept.' */
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  className?: string
}

/** Error state inside the affected area. */
export function ErrorState({ title, children, onRetry, retrying, className }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={title}
        className={className}
        actions={
          onRetry && (
            <Button icon={<RefreshCw />} busy={retrying} busyLabel="Trying…" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {children ?? 'The connection was lost. Nothing was changed.'}
      </EmptyState>
    </div>
  )
}
