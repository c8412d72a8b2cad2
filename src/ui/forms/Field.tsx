import { CircleAlert } from 'lucide-react'
import { createContext, use, useEffect, useId, useMemo, useState, type ReactNode } from 'react'
import { cn } from '../cn.ts'

interface FieldWiring {
  id: string
  labelId: string
  describedBy: string | undefined
  invalid: boolean
  /** Validation by the control itself. */
  report: (problem: string | undefined) => void
}

const FieldContext = createContext<FieldWiring | null>(null)

interface ControlProps {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling'
}

/** Props that tie a control inside a Field to its label, hint and error. Its own props win. */
export function useFieldControl(own: ControlProps): ControlProps {
  const field = use(FieldContext)
  if (!field) return { id: own.id, 'aria-describedby': own['aria-describedby'], 'aria-invalid': own['aria-invalid'] }
  return {
    id: own.id ?? field.id,
    'aria-describedby': own['aria-describedby'] ?? field.describedBy,
    'aria-invalid': own['aria-invalid'] ?? (field.invalid || undefined),
  }
}

/** Shows the control's own validation error below the field, before submitting. Returns whether there is a field to show it. */
export function useFieldProblem(problem: string | undefined): boolean {
  const report = use(FieldContext)?.report
  useEffect(() => {
    report?.(problem)
    return () => report?.(undefined)
  }, [report, problem])
  return report !== undefined
}

/** For groups (radio, segmented) that are named by the label instead of an id. */
export function useFieldGroup(): { 'aria-labelledby'?: string; 'aria-describedby'?: string } {
  const field = use(FieldContext)
  return field ? { 'aria-labelledby': field.labelId, 'aria-describedby': field.describedBy } : {}
}

interface FieldProps {
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  error?: ReactNode
  /** Hides the label except for screen readers. */
  hideLabel?: boolean
  /** Right end of the label line. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** Label, control, then hint or error. */
export function Field({ label, optional, hint, error: given, hideLabel, aside, className, children }: FieldProps) {
  const [own, setOwn] = useState<string>()
  const error = own ?? given
  const id = useId()
  const noteId = `${id}note`
  const described = Boolean(error ?? hint)
  const wiring = useMemo(
    () => ({ id, labelId: `${id}label`, describedBy: described ? noteId : undefined, invalid: Boolean(error), report: setOwn }),
    [id, noteId, described, error],
  )
  return (
    <FieldContext value={wiring}>
      <div className={cn('flex min-w-0 flex-col', className)}>
        <div className={cn('flex items-baseline justify-between gap-3 pb-1.5', hideLabel && 'sr-only')}>
          <label id={wiring.labelId} htmlFor={id} className="text-sm font-medium text-fg">
            {label}
            {optional && <span className="font-regular text-fg-3"> (optional)</span>}
          </label>
          {aside}
        </div>
        {children}
        {error ? (
          <p id={noteId} role="alert" className="flex gap-1.5 pt-1.5 text-sm text-danger-fg">
            <CircleAlert aria-hidden="true" className="mt-0.5" />
            {error}
          </p>
        ) : (
          hint && (
            <p id={noteId} className="pt-1.5 text-sm text-fg-3">
              {hint}
            </p>
          )
        )}
      </div>
    </FieldContext>
  )
}
