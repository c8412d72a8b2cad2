import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'

export const iconButtonStyle = cva(
  [
    'relative inline-flex flex-none items-center justify-center touch-target transition-colors duration-(--dur-1) ease-out',
    'disabled:pointer-events-none disabled:text-fg-disabled',
  ],
  {
    variants: {
      variant: {
        quiet: 'text-fg-2 hover:bg-hover hover:text-fg active:bg-active data-[state=open]:bg-hover',
        outlined:
          'border border-line-2 bg-raised text-fg-2 shadow-xs hover:bg-hover hover:text-fg active:bg-active data-[state=open]:bg-hover',
      },
      size: {
        sm: 'size-9 rounded-sm md:size-(--control-sm)',
        md: 'size-9 rounded-md md:size-(--control)',
        lg: 'size-11 rounded-md md:size-(--control)',
      },
    },
    defaultVariants: { variant: 'quiet', size: 'md' },
  },
)

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, VariantProps<typeof iconButtonStyle> {
  /** Action name: accessible label and tooltip. */
  label: string
  keys?: string
  icon: ReactNode
  tooltipSide?: 'top' | 'right' | 'bottom' | 'left'
}

export function IconButton({ label, keys, icon, variant, size, className, type, tooltipSide, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys} side={tooltipSide}>
      <button type={type ?? 'button'} aria-label={label} className={cn(iconButtonStyle({ variant, size }), className)} {...rest}>
        {icon}
      </button>
    </Tooltip>
  )
}
