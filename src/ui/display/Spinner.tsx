import { cn } from '../cn.ts'

export function Spinner({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className={cn('size-4 flex-none animate-turn motion-reduce:animate-none', className)}>
      <path d="M8 1.75a6.25 6.25 0 1 0 6.25 6.25" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  )
}
