import { cn } from '../cn.ts'

interface HelpLinkProps {
  /** A page of docs/guide and one of its headings, 'email#connect-your-mailbox'. A test checks that both exist. */
  to: string
  /** What the section explains: 'How to connect a mailbox'. */
  children: string
  className?: string
}

/** Opens the guide in a new tab, so that nothing typed is lost. */
export function HelpLink({ to, children, className }: HelpLinkProps) {
  return (
    <a
      href={`/help/${to}`}
      target="_blank"
      rel="noopener"
      className={cn('inline-flex min-h-8 items-center rounded-xs text-sm font-medium text-accent-fg hover:underline', className)}
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
