import { ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

/** A row that opens its record. Looks like a link: its name (`font-medium`) is accented and underlined on hover, its badges are not. `hasChevron`: unless another action follows. */
export function OpenRow({ hasChevron = true, className, children, ...rest }: ComponentProps<'button'> & { hasChevron?: boolean }) {
  return (
    <button
      type="button"
      className={cn(
        'group flex min-h-11 w-full min-w-0 cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 text-left outline-offset-[-2px] hover:bg-hover',
        '[&_.font-medium:not([data-badge])]:text-accent-fg hover:[&_.font-medium:not([data-badge])]:underline focus-visible:[&_.font-medium:not([data-badge])]:underline',
        className,
      )}
      {...rest}
    >
      {children}
      {hasChevron && <ChevronRight aria-hidden="true" className="flex-none text-fg-3 group-hover:text-fg" />}
    </button>
  )
}
