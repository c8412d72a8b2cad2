import { createRoot } from 'react-dom/client'
import BookingPage from './BookingPage.tsx'
import './booking.css'

// The page that shows this one in a frame makes it as high as it is (public/book.js).
if (parent !== window) {
  document.documentElement.classList.add('framed')
  new ResizeObserver(() => parent.postMessage({ refyneBookingHeight: document.body.offsetHeight }, '*')).observe(document.body)
}

const element = document.getElementById('root')
if (element) createRoot(element).render(<BookingPage />)
