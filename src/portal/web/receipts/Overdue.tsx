import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** The day on which a payment was due, if it has passed. */
export const Overdue = ({ children }: { children: ReactNode }) => (
  <p className="flex items-center gap-2 font-medium text-danger-fg">
    <CircleAlert aria-hidden="true" className="size-4.5! flex-none" /> {children}
  </p>
)
