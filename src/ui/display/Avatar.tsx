import { cva } from 'class-variance-authority'
import { cn } from '../cn.ts'
import { initials, tintOf } from './initials.ts'

// The ground ends at the padding's edge, which looks the same, for Chromium to draw the rows of a list as one layer: letters on a ground of
// their own would be kept in one of theirs, with each row before and after it.
const style = cva('inline-flex flex-none items-center justify-center rounded-full bg-clip-padding font-semibold select-none', {
  variants: {
    size: {
      xs: 'size-5 text-3xs',
      sm: 'size-5.5 text-3xs',
      md: 'size-7 text-2xs',
      lg: 'size-10 text-md',
      xl: 'size-12 text-lg',
    },
    tint: {
      0: 'bg-active text-fg-2',
      1: 'bg-tint-1-soft text-tint-1',
      2: 'bg-tint-2-soft text-tint-2',
      3: 'bg-tint-3-soft text-tint-3',
      4: 'bg-tint-4-soft text-tint-4',
    },
  },
})

interface AvatarProps {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  /** Patients are neutral, staff are tinted, so colour means "whose". */
  kind: 'patient' | 'staff'
  /** Decides the tint of a member of staff; the same id always gives the same one. */
  id?: string
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl'
  className?: string
}

/** Decorative: the name stands beside it, or the control around it is labelled. */
export function Avatar({ firstName, lastName, email, kind, id, size = 'md', className }: AvatarProps) {
  const tint = kind === 'patient' ? 0 : tintOf(id ?? `${firstName ?? ''}${lastName ?? ''}${email ?? ''}`)
  return (
    <span aria-hidden="true" className={cn(style({ size, tint }), className)}>
      {initials(firstName, lastName, email)}
    </span>
  )
}
