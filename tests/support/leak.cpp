// A program that leaks memory, to test that the leak check of a sanitized build is active.
int* volatile lost;

int main() {
  lost = new int[1000];
  lost = nullptr;
}
