import { usePractice } from '../client/session.ts'
import { cn } from '../cn.ts'
import { Logo } from './Logo.tsx'

interface MarkProps {
  /** Size of the product's mark. */
  className?: string
  /** Maximum height and width of the practice's logo: some are words. */
  logo?: string
}

/** The practice's logo, or the product's mark in the practice's colour. */
export function Mark({ className, logo: logoSize = 'max-h-8 max-w-16' }: MarkProps) {
  const { logo } = usePractice()
  // A dark transparent logo would be unreadable in the dark theme.
  if (logo !== null) return <Logo className={cn('rounded-xs dark:bg-inverse dark:p-0.5', logoSize)} />
  return (
    <span
      aria-hidden="true"
      className={cn('flex size-7 flex-none items-center justify-center rounded-md bg-accent text-on-accent', className)}
    >
      <svg
        viewBox="0 0 16 16"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M4.6 7.4a3.4 3.4 0 1 1 6.8 0" />
        <path d="M2.5 10.2c1.1 0 1.65-.9 2.75-.9s1.65.9 2.75.9 1.65-.9 2.75-.9 1.65.9 2.75.9" />
        <path d="M2.5 13.4c1.1 0 1.65-.9 2.75-.9s1.65.9 2.75.9 1.65-.9 2.75-.9 1.65.9 2.75.9" />
      </svg>
    </span>
  )
}
