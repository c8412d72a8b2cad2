import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import type { FormState } from './useActionForm.ts'
import { useProblemFocus } from './useProblemFocus.ts'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  form: FormState
}

/** A form of `useActionForm`. The first invalid field gets the focus. */
export function Form({ form, className, ...rest }: FormProps) {
  const ref = useProblemFocus(form)
  return (
    <form
      ref={ref}
      noValidate
      className={cn('min-w-0', className)}
      onSubmit={(event) => {
        event.preventDefault()
        // For React, a form inside a portal is still a child of the outer form.
        event.stopPropagation()
        void form.submit()
      }}
      {...rest}
    />
  )
}
