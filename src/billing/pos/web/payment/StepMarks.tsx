import { cn } from '../../../../ui/cn.ts'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'

const steps = ['Set up', 'Confirm', 'Done'] as const

/** The current step: 'Set up — Confirm — Done'; on a phone 'Set up, 1 of 3'. */
export function StepMarks({ current }: { current: 0 | 1 | 2 }) {
  const phone = usePhone()
  if (phone) {
    return (
      <p className="flex-none text-sm text-fg-2">
        <span className="font-semibold text-fg">{steps[current]}</span>, {current + 1} of {steps.length}
      </p>
    )
  }
  return (
    <ol aria-label="Steps" className="flex flex-none items-center gap-2 text-sm text-fg-2">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? 'step' : undefined} className="flex items-center gap-2">
          {index > 0 && <span aria-hidden="true" className="h-px w-4.5 bg-line-2" />}
          <span className={cn(index === current && 'font-semibold text-fg')}>{step}</span>
        </li>
      ))}
    </ol>
  )
}
