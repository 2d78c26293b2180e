// Flash-Decoding on tensor cores. Selects the kernel. flash_decoding_mma.h has the algorithm.
#include "kernels/attention/instances.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/paged_instances.h"
#include "kernels/attention/support.h"
#include "sim/base/check.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash_decoding_mma(dev::Stream stream, const Arguments& a) {
  require_mma("flash-decoding_mma", a);
  with_head_dim(a.head_dim, [&](auto d) { FlashDecodingMmaOf<d>::launch(stream, a); });
}

void require_flash_decoding_mma_paged(const Arguments& a, std::int32_t page_rows) {
  sim::require(takes_pages(a.head_dim), "page-size: flash-decoding_mma has no pages for head dim ", a.head_dim,
               ": it has 64, 128");
  sim::require(page_rows >= shortest_page, "page-size: flash-decoding_mma has no pages of ", page_rows, " tokens: use ",
               shortest_page, " or more");
  if (a.extended()) throw sim::Error("page-size: flash-decoding_mma has no ", extension_of(a), " with pages");
}

void flash_decoding_mma_paged(dev::Stream stream, const Arguments& a, const PagedBatch& batch) {
  require_mma("flash-decoding_mma", a);
  require_flash_decoding_mma_paged(a, batch.page_rows);
  if (a.head_dim == 64) return FlashDecodingPagedMmaOf<64>::launch(stream, a, batch);
  FlashDecodingPagedMmaOf<128>::launch(stream, a, batch);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
