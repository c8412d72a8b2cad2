import { Slot } from 'radix-ui'
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Spinner } from '../display/Spinner.tsx'

const buttonStyle = cva(
  [
    'relative inline-flex flex-none items-center justify-center gap-1.5 whitespace-nowrap font-medium select-none touch-target',
    'transition-colors duration-(--dur-1) ease-out',
    'disabled:pointer-events-none aria-disabled:pointer-events-none',
  ],
  {
    variants: {
      variant: {
        filled:
          'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-press disabled:bg-active disabled:text-fg-3 [&_svg]:text-current',
        outlined:
          'border border-line-2 bg-raised text-fg shadow-xs hover:bg-hover active:bg-active data-[state=open]:bg-hover disabled:bg-subtle disabled:text-fg-disabled disabled:shadow-none [&>svg]:text-fg-2',
        quiet: 'text-fg-2 hover:bg-hover hover:text-fg active:bg-active data-[state=open]:bg-hover disabled:text-fg-disabled',
        danger:
          'border border-line-2 bg-raised text-danger-fg shadow-xs hover:border-danger-line hover:bg-danger-soft active:bg-danger-soft disabled:bg-subtle disabled:text-fg-disabled',
        'danger-filled': 'bg-danger text-on-solid hover:brightness-95 active:brightness-90 disabled:bg-active disabled:text-fg-3',
      },
      size: {
        sm: 'h-9 rounded-sm px-2.5 text-sm md:h-(--control-sm)',
        md: 'h-11 rounded-md px-3 text-sm md:h-(--control)',
        lg: 'h-(--control-touch) rounded-md px-4.5 text-md md:h-(--control-lg)',
      },
      block: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'outlined', size: 'md', block: false },
  },
)

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  icon?: ReactNode
  /** Disables the button and shows `busyLabel` without changing its width. */
  busy?: boolean
  /** Text in "-ing…". Its width is reserved from the start, so the layout does not shift. */
  busyLabel?: ReactNode
  /** Renders the only child (a link) with the button's styles. */
  asChild?: boolean
}

export function Button({ variant, size, block, icon, busy = false, busyLabel, asChild, ...native }: ButtonProps) {
  const { className, children, disabled, type, onClick, ...rest } = native
  const styles = cn(buttonStyle({ variant, size, block }), className)
  if (asChild) {
    return (
      <Slot.Root className={styles} onClick={onClick} {...rest}>
        {icon}
        <Slot.Slottable>{children}</Slot.Slottable>
      </Slot.Root>
    )
  }
  return (
    <button
      type={type ?? 'button'}
      className={styles}
      data-primary={variant === 'filled' || variant === 'danger-filled' || undefined}
      disabled={disabled}
      // Stays focusable while busy: losing focus to <body> would send keyboard users to the top of the page.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && (icon || block) ? <Spinner /> : icon}
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="grid justify-items-center">
          <span className={cn('col-start-1 row-start-1', busy && 'invisible')}>{children}</span>
          <span className={cn('col-start-1 row-start-1', !busy && 'invisible')} aria-hidden={!busy}>
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  )
}
