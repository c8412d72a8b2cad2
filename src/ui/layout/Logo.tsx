import { usePractice } from '../client/session.ts'
import { cn } from '../cn.ts'

/** The practice's logo as large as fits, undistorted; nothing without one. Decorative, since it is next to the practice's name. */
export function Logo({ className }: { className?: string | undefined }) {
  const { logo } = usePractice()
  if (logo === null) return null
  return <img src={`/api/practice/logo/${logo}.png`} alt="" className={cn('w-auto flex-none object-contain', className)} />
}
