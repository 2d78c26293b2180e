// A program that leaks, to see that the leak check of a sanitized build runs.
int* volatile lost;

int main() {
  lost = new int[1000];
  lost = nullptr;
}
