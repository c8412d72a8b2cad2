import { CalendarPlus } from 'lucide-react'
import { Button } from '../../../../ui/Button.tsx'

/** Opens the booking dialog of a calendar's page. */
export function BookButton({ noun, onClick }: { noun: string; onClick: () => void }) {
  return (
    <Button variant="filled" icon={<CalendarPlus />} className="max-md:h-9" onClick={onClick}>
      <span className="max-md:sr-only">Book {noun}</span>
      <span aria-hidden="true" className="md:hidden">
        Book
      </span>
    </Button>
  )
}
