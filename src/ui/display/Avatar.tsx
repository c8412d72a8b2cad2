import { cva } from 'class-variance-authority'
import { cn } from '../cn.ts'
import { initials, tintOf } from './initials.ts'

// Clips the background to the padding box, which looks the same, so that Chromium draws the rows of a list as one layer: text with its own
// background would get a separate layer, as would each adjacent row.
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
  /** Neutral for patients, tinted for staff. */
  kind: 'patient' | 'staff'
  /** Determines the tint of a staff member, stable per id. */
  id?: string
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl'
  /** A picture instead of the initials, as a URL. */
  image?: string | null
  className?: string
}

/** Decorative: the name is next to it, or the surrounding control is labelled. */
export function Avatar({ firstName, lastName, email, kind, id, size = 'md', image, className }: AvatarProps) {
  const tint = kind === 'patient' ? 0 : tintOf(id ?? `${firstName ?? ''}${lastName ?? ''}${email ?? ''}`)
  return (
    <span aria-hidden="true" className={cn(style({ size, tint }), className)}>
      {image ? <img src={image} alt="" className="size-full rounded-full" /> : initials(firstName, lastName, email)}
    </span>
  )
}
