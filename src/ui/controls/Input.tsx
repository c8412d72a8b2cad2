import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'

// Field text is 16 px on a phone: iOS zooms into fields with smaller text.
const inputStyle = 'field-edge h-11 w-full min-w-0 rounded-md px-2.5 text-lg md:h-9 md:text-md'

interface InputProps extends ComponentProps<'input'> {
  /** An icon or sign ('$') inside the left end. */
  leading?: ReactNode
  /** A control or unit inside the right end. */
  trailing?: ReactNode
}

export function Input({ leading, trailing, className, type = 'text', ...rest }: InputProps) {
  const wiring = useFieldControl(rest)
  if (leading === undefined && trailing === undefined) {
    return <input {...rest} {...wiring} type={type} className={cn(inputStyle, className)} />
  }
  return (
    <div className={cn(inputStyle, 'flex items-center gap-2 px-0', className)}>
      {leading && <span className="pointer-events-none flex pl-2.5 text-fg-3">{leading}</span>}
      <input
        {...rest}
        {...wiring}
        type={type}
        className={cn(
          'h-full min-w-0 flex-1 rounded-md bg-transparent outline-none',
          leading === undefined && 'pl-2.5',
          trailing === undefined && 'pr-2.5',
        )}
      />
      {trailing && <span className="flex flex-none items-center pr-1.5 text-fg-3">{trailing}</span>}
    </div>
  )
}
