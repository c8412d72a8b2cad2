import { usePractice } from '../client/session.ts'
import { cn } from '../cn.ts'

/** The practice's own picture as large as fits, never distorted; nothing where there is none. It stands beside the practice's name, so it says nothing. */
export function Logo({ className }: { className?: string | undefined }) {
  const { logo } = usePractice()
  if (logo === null) return null
  return <img src={`/api/practice/logo/${logo}.png`} alt="" className={cn('w-auto flex-none object-contain', className)} />
}
