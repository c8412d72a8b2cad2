import { Fragment } from 'react'
import { cn } from '../../../ui/cn.ts'

/** Facts that identify a patient, separated by dots. Lines break only between facts. */
export function PatientFacts({ facts, className }: { facts: readonly string[]; className?: string }) {
  return (
    <p className={cn('min-w-0', className)}>
      {facts.map((fact, index) => (
        <Fragment key={fact}>
          <span className="inline-block max-w-full wrap-anywhere">
            {fact}
            {index < facts.length - 1 && ' ·'}
          </span>{' '}
        </Fragment>
      ))}
    </p>
  )
}
