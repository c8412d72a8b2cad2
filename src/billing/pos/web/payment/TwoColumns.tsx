import type { ReactNode, Ref } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { DialogBody } from '../../../../ui/overlays/Dialog.tsx'

interface TwoColumnsProps {
  main: ReactNode
  side: ReactNode
  /** Below the side, in sight while it scrolls. */
  totals: ReactNode
  ref?: Ref<HTMLDivElement>
  className?: string
}

/**
 * The payment dialog's body: customer and items on the left, money on the right, scrolling separately; stacked on a phone. Its height is the same in each
 * step, so that the second click of a double click never meets another button or the page behind.
 */
export function TwoColumns({ main, side, totals, ref, className }: TwoColumnsProps) {
  return (
    <DialogBody
      className={cn(
        'p-0 md:grid md:h-[min(42rem,calc(100dvh-11.5rem))] md:flex-none md:grid-cols-[minmax(0,1fr)_21.75rem] md:grid-rows-[minmax(0,1fr)] md:overflow-hidden md:p-0',
        className,
      )}
    >
      <div ref={ref} tabIndex={-1} className="p-4 outline-none md:min-h-0 md:overflow-y-auto md:px-6 md:py-5">
        {main}
      </div>
      <div className="flex flex-col border-line bg-subtle max-md:border-t md:min-h-0 md:border-l">
        <div className="p-4 md:min-h-0 md:flex-1 md:overflow-y-auto md:px-6 md:py-5">{side}</div>
        <div className="border-t border-line-2 p-4 md:max-h-3/5 md:flex-none md:overflow-y-auto md:px-6 md:py-3">{totals}</div>
      </div>
    </DialogBody>
  )
}
