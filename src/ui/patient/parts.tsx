import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../controls/Button.tsx'
import { formatDecimal } from '../../shared/translations.ts'
import { cn } from '../cn.ts'
import { SkeletonRows } from '../display/Skeleton.tsx'
import { useLanguage, useTexts } from './language.ts'
import { frameTexts } from './texts.ts'

/** Smaller on a phone, next to a button. */
export const sectionTitle = 'text-xl font-semibold max-md:text-[1.25rem]'

/** A 48 px button at every width. */
export function PortalButton({ className, ...rest }: ComponentProps<typeof Button>) {
  const edge = rest.variant === 'filled' || rest.variant === 'danger-filled' ? '' : 'border-line-control disabled:border-line-2'
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

export function PortalField({ label, error, className, id: givenId, ...rest }: PortalFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
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

interface PortalTextAreaProps extends Omit<ComponentProps<'textarea'>, 'maxLength' | 'value'> {
  label: ReactNode
  value: string
  /** The most characters that can be sent, spaces around the text not counted. */
  limit: number
  error: string | null
}

/** How few characters have to be left before it says so. */
const fewLeft = 200

/** How many characters are too many; 0 or less: the text can be sent. */
export const charactersOver = (text: string, limit: number): number => text.trim().length - limit

/** A text of several lines. One that is too long is never cut: it stays, and the field says by how much. */
export function PortalTextArea({ label, value, limit, error, className, ...rest }: PortalTextAreaProps) {
  const language = useLanguage()
  const t = frameTexts[language]
  const id = useId()
  const over = charactersOver(value, limit)
  const shown = over > 0 ? t('tooLong', { limit: formatDecimal(limit, language) }) : error
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-portal font-semibold">
        {label}
      </label>
      {shown && <ErrorLine id={`${id}error`}>{shown}</ErrorLine>}
      <textarea
        {...rest}
        id={id}
        value={value}
        aria-invalid={shown ? true : undefined}
        aria-describedby={shown ? `${id}error` : undefined}
        className={cn('field-edge w-full min-w-0 rounded-lg px-4 py-3 text-portal', className)}
      />
      <p role="status" className="text-md text-fg-2 tabular-nums empty:hidden">
        {over > 0 ? t('charactersOver', { count: over }) : -over <= fewLeft && t('charactersLeft', { count: -over })}
      </p>
    </div>
  )
}

/** Rows that are loading, each as high as one of the portal: an icon and two lines. */
export function PortalSkeleton({ rows, className }: { rows: number; className?: string }) {
  const t = useTexts(frameTexts)
  return <SkeletonRows rows={rows} label={t('loading')} className={className} rowClassName="h-20 gap-4 px-0 last:border-b-0 md:px-0" />
}
