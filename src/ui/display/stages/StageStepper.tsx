import { cn } from '../../cn.ts'

export interface StageStep {
  id: string
  name: string
  /** Below the name: '64 d', '3 d, since Nov 17'. */
  note?: string
}

interface StageStepperProps {
  /** Stages in order, the won one last. */
  steps: readonly StageStep[]
  /** The patient's stage; a lost stage leaves every bar empty. */
  currentId: string
  /** If given, each step is a button that moves the patient there. */
  onSelect?: (step: StageStep) => void
  className?: string
}

/** The record's progress in the funnel. On a phone only the current name is shown. */
export function StageStepper({ steps, currentId, onSelect, className }: StageStepperProps) {
  const current = steps.findIndex((step) => step.id === currentId)
  const now = steps[current]
  return (
    <div className={className}>
      <ol aria-label="Stage" className="flex gap-1">
        {steps.map((step, index) => {
          const state = index === current ? 'current' : index < current ? 'past' : 'ahead'
          const words = (
            <>
              <span
                className={cn(
                  'block h-1 rounded-full',
                  state === 'current' && 'bg-accent',
                  state === 'past' && 'bg-stage-done',
                  state === 'ahead' && 'bg-active',
                )}
              />
              <span className="sr-only md:not-sr-only md:block md:pt-2">
                <span
                  className={cn(
                    'block truncate text-sm',
                    state === 'current' ? 'font-semibold text-fg' : state === 'past' ? 'font-medium text-fg-2' : 'font-medium text-fg-3',
                  )}
                >
                  {step.name}
                </span>
                <span className="block h-4 truncate text-xs text-fg-3 tabular-nums">{step.note}</span>
              </span>
            </>
          )
          return (
            <li key={step.id} aria-current={state === 'current' ? 'step' : undefined} className="min-w-0 flex-1">
              {onSelect ? (
                <button
                  type="button"
                  onClick={() => onSelect(step)}
                  title={state === 'current' ? undefined : `Move to ${step.name}`}
                  className="relative block w-full rounded-xs text-left touch-target hover:[&_span]:text-fg"
                >
                  {words}
                </button>
              ) : (
                words
              )}
            </li>
          )
        })}
      </ol>
      {now && (
        <p className="flex justify-between gap-3 pt-2 text-sm md:hidden">
          <span className="font-semibold text-fg">{now.name}</span>
          <span className="text-fg-3 tabular-nums">{now.note}</span>
        </p>
      )}
    </div>
  )
}
