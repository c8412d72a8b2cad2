import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface DisclosureProps {
  /** The line that opens it: '3 questions not answered'. */
  summary: ReactNode
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** One quiet line that opens what is seldom needed. Its content is rendered once it is open. */
export function Disclosure({ summary, isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details open={isOpen} className="group text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="-mx-1 flex min-h-11 cursor-pointer list-none items-center gap-1.5 rounded-xs px-1 text-fg-2 hover:text-fg md:min-h-8 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="flex-none text-fg-3 group-open:rotate-90" />
        {summary}
      </summary>
      {isOpen && children}
    </details>
  )
}
