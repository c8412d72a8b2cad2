import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../controls/Button.tsx'
import { cn } from '../cn.ts'

/** Smaller on a phone, next to a button. */
export const sectionTitle = 'text-xl font-semibold max-md:text-[1.25rem]'

/** A 48 px button at every width. */
export function PortalButton({ className, ...rest }: ComponentProps<typeof Button>) {
  const edge = rest.variant === 'filled' ? '' : 'border-line-control disabled:border-line-2'
  return (
    <Button {...rest} size="lg" className={cn('h-12 rounded-lg px-5 text-lg font-semibold md:h-12 [&>svg]:size-4.5', edge, className)} />
  )
}

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={cn('rounded-xl border border-line bg-surface p-4 md:p-6', className)} {...rest} />
}

/** Spec 8: the red line. */
export function ErrorLine({ id, className, children }: { id?: string; className?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className={cn('flex gap-2.5 text-portal font-medium break-words text-danger-fg', className)}>
      <CircleAlert aria-hidden="true" className="mt-1 size-4.5!" />
      {children}
    </p>
  )
}

interface PortalFieldProps extends ComponentProps<'input'> {
  label: string
  /** Above the field: below it, a phone's keyboard would hide it. */
  error: string | null
}

export function PortalField({ label, error, className, ...rest }: PortalFieldProps) {
  const id = useId()
  const errorId = `${id}error`
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-portal font-semibold">
        {label}
      </label>
      {error && <ErrorLine id={errorId}>{error}</ErrorLine>}
      <input
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        className={cn('field-edge h-14 w-full min-w-0 rounded-lg px-4 text-portal', className)}
      />
    </div>
  )
}
