import { cn } from '../cn.ts'

/** The product's mark in the practice's colour, where the practice has no logo. */
export function ProductMark({ className }: { className?: string | undefined }) {
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
